// Sorts and filters the grid of a class's page. Without it the page can be read all the same.
(function () {
    'use strict';
    const grid = document.getElementById('grid');
    if (!grid)
        return;
    const body = grid.tBodies[0];
    const heads = Array.from(grid.tHead.rows[0].cells);
    const firstStep = heads.findIndex(head => head.classList.contains('step'));
    const stepCount = heads.filter(head => head.classList.contains('step')).length;
    const field = id => document.getElementById(id);
    const rows = Array.from(body.rows);
    const said = rows.map(row => (row.cells[0].textContent + ' ' + row.cells[1].textContent).toLowerCase());

    // What a cell is sorted by: a number where it has one.
    function keyOf(row, column) {
        const cell = row.cells[column];
        return cell.dataset.p === undefined ? cell.textContent : Number(cell.dataset.p);
    }

    function compare(a, b) {
        return typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true });
    }

    function sortBy(column) {
        const head = heads[column];
        const points = keyOf(rows[0], column);
        const first = typeof points === 'number' ? 'descending' : 'ascending';
        const other = first === 'ascending' ? 'descending' : 'ascending';
        const order = head.getAttribute('aria-sort') === first ? other : first;
        heads.forEach(each => each.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', order);
        const sign = order === 'ascending' ? 1 : -1;
        const sorted = Array.from(body.rows).map(row => [keyOf(row, column), row]);
        sorted.sort((a, b) => sign * compare(a[0], b[0]));
        body.append(...sorted.map(pair => pair[1]));
    }

    heads.forEach((head, column) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.append(...head.childNodes);
        button.addEventListener('click', () => sortBy(column));
        head.append(button);
    });

    // Rows by name and verdict, columns by step: a verdict counts in the step that is shown.
    function filter() {
        const name = field('name').value.trim().toLowerCase();
        const step = Number(field('step').value);
        const verdict = field('verdict').value;
        let shown = 0;
        rows.forEach((row, i) => {
            const cells = step ? [row.cells[firstStep + step - 1]] : Array.from(row.cells);
            row.hidden = !said[i].includes(name) || (verdict !== '' && !cells.some(cell => cell.dataset.v === verdict));
            shown += row.hidden ? 0 : 1;
        });
        [grid.tHead.rows[0], ...rows].forEach(row => {
            for (let i = 0; i < stepCount; i++)
                row.cells[firstStep + i].hidden = step > 0 && i !== step - 1;
        });
        field('shown').textContent = shown + ' of ' + rows.length + ' shown';
    }

    field('filters').hidden = false;
    field('filters').addEventListener('input', filter);
    field('filters').addEventListener('submit', event => event.preventDefault());
    filter();

    // What the cell below the pointer or with the focus says.
    function tell(event) {
        const link = event.target.closest('td > a[title]');
        if (link)
            field('cell').textContent = link.closest('tr').cells[0].textContent + ', ' + link.title;
    }
    body.addEventListener('mouseover', tell);
    body.addEventListener('focusin', tell);

    // The keyboard moves among cells by arrows, so that Tab passes by a row in one step.
    body.querySelectorAll('td > a').forEach(link => { link.tabIndex = -1; });
    body.addEventListener('keydown', event => {
        const cell = event.target.closest('td, th');
        const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
        if (!cell || !(event.key in moves))
            return;
        const visible = Array.from(body.rows).filter(row => !row.hidden);
        let row = visible.indexOf(cell.parentNode), column = cell.cellIndex, link;
        do {
            row += moves[event.key][0];
            column += moves[event.key][1];
            if (!visible[row] || !visible[row].cells[column])
                return;
            link = visible[row].cells[column].querySelector('a');
        } while (!link || visible[row].cells[column].hidden);
        event.preventDefault();
        link.focus();
    });

    window.addEventListener('beforeprint', () => {
        document.querySelectorAll('details').forEach(details => { details.open = true; });
    });
})();
