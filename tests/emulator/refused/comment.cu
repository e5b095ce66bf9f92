// comment.cu:2: error: this comment has no end
/* and so on
